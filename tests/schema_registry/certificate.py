"""A certificate for the name localhost that no system trusts.

Made for these tests and used nowhere else; to make such files on the fly would
need a tool that a bare machine lacks. Valid until 2126.
"""

CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUKXukI7cneinEVKcvqHADKixGFFowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExODEzNTgyNFoYDzIxMjYxMDI1
MTM1ODI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASoz/yvarZOYSq2DZnIzCfXKUTODEd/LI8lgkrqUeOsDGYNMsuhzv1V
1eBeSheIh6Oc4DyixdyKdBt3tghtaGkPo2kwZzAdBgNVHQ4EFgQUxmJmnkt/7mGI
sbPIzO3wjtdCrNgwHwYDVR0jBBgwFoAUxmJmnkt/7mGIsbPIzO3wjtdCrNgwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgQ2DQpJMEhgcPpxQBBooCxQGWHM0H0F17aLc3OfIc6cECIQDLOlThcS55
sZo3nRFRxYIEJTBVat1MgIyhGE6PiuImDg==
-----END CERTIFICATE-----
"""
KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgk+eAT4oFqupqCjI4
wGOrKCvIq21wEVH/L+fmAHA4agyhRANCAASoz/yvarZOYSq2DZnIzCfXKUTODEd/
LI8lgkrqUeOsDGYNMsuhzv1V1eBeSheIh6Oc4DyixdyKdBt3tghtaGkP
-----END PRIVATE KEY-----
"""
