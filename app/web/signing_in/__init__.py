"""By what somebody is recognised: passwords, cookies, identities at a provider."""
