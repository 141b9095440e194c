"""Commands of operators, run on the machine of the installation."""
