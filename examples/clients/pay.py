"""Pays once in a sandbox with the client that openapi-python-client makes, and verifies a webhook."""

import json
import os
import time
import uuid

import httpx
from standardwebhooks import Webhook, WebhookVerificationError
from wallet_client import AuthenticatedClient
from wallet_client.api.sandbox import fund_wallet
from wallet_client.api.transfers import p_2_p_transfer
from wallet_client.api.wallets import create_wallet, get_wallet
from wallet_client.models.funding import Funding
from wallet_client.models.p2p_transfer_request import P2PTransferRequest
from wallet_client.models.wallet_creation import WalletCreation


def open_wallet(client: AuthenticatedClient) -> str:
    body = WalletCreation(user_ref=f"user-{uuid.uuid4()}")
    wallet = create_wallet.sync(client=client, body=body, idempotency_key=str(uuid.uuid4())).data
    for _ in range(120):
        if get_wallet.sync(wallet.id, client=client).data.wallet.status == "active":
            return wallet.id
        time.sleep(0.25)
    raise SystemExit("the wallet did not become active")


def pay(client: AuthenticatedClient, body: P2PTransferRequest, key: str):
    """Repeats a payment whose outcome is unknown; the same key makes that harmless."""
    for wait_seconds in (0.5, 1, 2):
        try:
            answer = p_2_p_transfer.sync_detailed(client=client, body=body, idempotency_key=key)
            is_answer = answer.parsed is not None
            is_busy = answer.status_code == 409 and is_answer and answer.parsed.error == "REQUEST_IN_PROGRESS"
            if is_answer and answer.status_code < 500 and answer.status_code != 429 and not is_busy:
                return answer
        except (httpx.TransportError, ValueError, TypeError, KeyError):
            pass  # No answer, or the page of a proxy instead of one: nobody knows.
        time.sleep(wait_seconds)
    raise SystemExit("nobody knows yet whether the payment was made: ask for its reference later")


def verify(raw_body: bytes, headers: dict, secret: str) -> dict | None:
    """The event of a delivery, or None when it is not genuine."""
    webhook = Webhook(secret.removeprefix("sk_wh_"))
    try:
        return webhook.verify(raw_body, headers)
    except (WebhookVerificationError, ValueError):
        return None


client = AuthenticatedClient(base_url=os.environ["WALLET_BASE_URL"], token=os.environ["WALLET_API_KEY"])
ada, bola = open_wallet(client), open_wallet(client)
fund_wallet.sync(ada, client=client, body=Funding(amount_kobo=1_000_000))
order = P2PTransferRequest(source_wallet=ada, dest_wallet=bola, amount=150_000, reference=f"order-{uuid.uuid4()}")
key = str(uuid.uuid4())
paid, again = pay(client, order, key), pay(client, order, key)
assert paid.parsed.data.status == "completed", paid.content
assert again.parsed.data.id == paid.parsed.data.id
assert get_wallet.sync(bola, client=client).data.balance_kobo == 150_000

too_much = P2PTransferRequest(source_wallet=bola, dest_wallet=ada, amount=900_000_000, reference=f"order-{uuid.uuid4()}")
refused = pay(client, too_much, str(uuid.uuid4()))
assert (refused.status_code, refused.parsed.error) == (422, "INSUFFICIENT_FUNDS"), refused.content

with open(os.environ["WALLET_DELIVERY"]) as file:
    delivery = json.load(file)
event = verify(delivery["body"].encode(), delivery["headers"], delivery["secret"])
assert event is not None, "a genuine delivery was refused"
assert verify(delivery["body"].encode() + b" ", delivery["headers"], delivery["secret"]) is None
assert verify(delivery["body"].encode(), {}, delivery["secret"]) is None
assert verify(delivery["body"].encode(), {**delivery["headers"], "webhook-signature": "v1"}, delivery["secret"]) is None
print(f"paid {paid.parsed.data.id}, verified {event['event']}")
