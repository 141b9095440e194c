"""The tasks of the sandbox: what each is given, which files it leaves, and what it answers.

Every member of a task or of a result travels as JSON; `serialization` reads it strictly. A path is
a file that the child may read. `task` is what the competition asks for. A child loads the module of
its own task alone: making all these classes takes it longer than reading what it is given.
"""
