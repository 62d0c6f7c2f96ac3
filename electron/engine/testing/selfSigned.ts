import { createPrivateKey } from 'node:crypto';

const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'd8K_jxt9F4THV2MUqpiC2v4Z1Su2_nf5dgWTtw-GDVM',
    y: '-KdTyRvIStGfIsAuba5RQ13Ek-QQG_DX7eJO7GBccHc',
    d: 'ItMoSsddmX__sT_M-qB4-8q2zGeRgcKWuH6UUw6f5Nk',
  },
});
const cert = `-----BEGIN CERTIFICATE-----
MIIBZDCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDAptb2RlbC50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAVMRMwEQYD
VQQDDAptb2RlbC50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEd8K/jxt9F4THV2MUqpiC2v4Z1Su2/nf5dgWTtw+GDVP4p1PJG8hK0Z8iwC5trlFDXcST
5BAb8Nft4k7sYFxwd6NJMEcwFQYDVR0RBA4wDIIKbW9kZWwudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQKj1pLU4C+0MAyudFBJdceBUZCRjAKBggq
hkjOPQQDAgNIADBFAiEAvSXEoMau9CUcuS92bgx/kQTdg0g9NeHjLtFGFhllWywCIBIfkTzSOT5w/F6LFMR4R/7hIa03c4SPL0y791fswSy4
-----END CERTIFICATE-----
`;

/** A key and a certificate for `model.test` that exist for tests alone and are valid until 2120. */
export const selfSigned = { key: key.export({ type: 'pkcs8', format: 'pem' }), cert };
