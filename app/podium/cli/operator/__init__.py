"""Commands of operators, which run on the machine of the installation."""
