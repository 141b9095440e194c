"""`make image-test`: the image and the compose file, built and run by a real engine.

Steps ask a running installation from outside: the engine's commands, the command line and HTTP.
"""
