"""The tasks of the sandbox: the arguments of each, its output files, and its answer.

Every member of a task or of a result travels as JSON, which `serialization` reads strictly. A path
is a file that the child may read. `task` is what the competition asks for. A child loads only the
module of its own task: creating all these classes takes longer than reading its input.
"""
