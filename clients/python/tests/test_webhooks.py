"""Signatures of webhooks."""

from __future__ import annotations

from unittest import TestCase

from scriptorium import _ed25519, webhooks
from scriptorium.webhooks import WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"id": "evt_1", "type": "dam.object.created"}'
NOW = 1_700_000_000


class Verification(TestCase):
    def setUp(self) -> None:
        self.headers = webhooks.sign(BODY, SECRET, id="evt_1", timestamp=NOW)

    def fault(self, **changed: object) -> str:
        values = {"body": BODY, "headers": self.headers, "secret": SECRET, "now": NOW, **changed}
        with self.assertRaises(WebhookVerificationError) as caught:
            webhooks.verify(**values)  # type: ignore[arg-type]
        return caught.exception.code

    def test_accepts_what_it_signs(self) -> None:
        upper = {name.upper(): value for name, value in self.headers.items()}
        event = webhooks.verify(BODY, upper, SECRET, now=NOW + 300)
        self.assertEqual(event["type"], "dam.object.created")
        rotated = ["whsec_" + "A" * 32, SECRET]
        self.assertEqual(webhooks.verify(BODY.decode(), upper, rotated, now=NOW)["id"], "evt_1")

    def test_rejects_everything_else(self) -> None:
        self.assertEqual(self.fault(body=BODY + b" "), "signature_mismatch")
        self.assertEqual(self.fault(secret="whsec_" + "A" * 32), "signature_mismatch")
        self.assertEqual(self.fault(secret=[]), "signature_mismatch")
        self.assertEqual(self.fault(now=NOW + 301), "timestamp_too_old")
        self.assertEqual(self.fault(now=NOW - 301), "timestamp_too_new")
        self.assertEqual(self.fault(headers={}), "headers_missing")
        self.assertEqual(self.fault(secret="whsec_AAAA"), "secret_invalid")
        self.assertEqual(self.fault(secret="whpk_AAAA"), "secret_invalid")
        for name, value, code in (
            ("webhook-timestamp", "soon", "timestamp_invalid"),
            ("webhook-timestamp", str(NOW + 1), "signature_mismatch"),
            ("webhook-id", "evt_2", "signature_mismatch"),
            ("webhook-signature", "v2,AAAA v1,é", "signature_mismatch"),
        ):
            self.assertEqual(self.fault(headers={**self.headers, name: value}), code, name)

    def test_rejects_a_signed_body_that_is_not_an_event(self) -> None:
        for body in (b"[]", b"{", b'{"id": "evt_1"}'):
            headers = webhooks.sign(body, SECRET, id="evt_1", timestamp=NOW)
            self.assertEqual(self.fault(body=body, headers=headers), "body_invalid")


class Ed25519(TestCase):
    def test_verifies_the_vectors_of_rfc_8032(self) -> None:
        """RFC 8032 §7.1, TEST 1 to 3."""
        vectors = (
            (
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
            ),
            (
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
                "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
            ),
            (
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
                "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
            ),
        )
        for key, message, signature in vectors:
            parts = [bytes.fromhex(one) for one in (key, message, signature)]
            self.assertTrue(_ed25519.verify(*parts))
            for at in range(3):
                if not parts[at]:
                    continue
                changed = [bytes(one) for one in parts]
                changed[at] = bytes([parts[at][0] ^ 1]) + parts[at][1:]
                self.assertFalse(_ed25519.verify(*changed), at)

    def test_rejects_a_signature_with_a_second_encoding(self) -> None:
        """s + q signs the same message; RFC 8032 §5.1.7 requires s < q."""
        key = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        signature = bytes.fromhex(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        )
        s = int.from_bytes(signature[32:], "little") + _ed25519._Q
        self.assertFalse(_ed25519.verify(key, b"", signature[:32] + s.to_bytes(32, "little")))
