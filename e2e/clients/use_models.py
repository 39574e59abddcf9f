"""Uses every operation with the classes that quicktype generates and Python's standard library."""

import json
import os
import urllib.error
import urllib.request

import models

with open("openapi.json", encoding="utf-8") as file:
    DOCUMENT = json.load(file)
BASE = DOCUMENT["servers"][0]["url"]
KEY = os.environ["API_KEY"]
DOMAIN = os.environ["DOMAIN"]

OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation["responses"])
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
used = set()


def call(operation_id, body=None, status=200, id=None, key=KEY):
    """Sends a request and parses the response with the class that the document specifies for its status."""
    used.add(operation_id)
    method, path, responses = OPERATIONS[operation_id]
    request = urllib.request.Request(
        BASE + path.replace("{id}", id or ""),
        method=method,
        data=None if body is None else json.dumps(body.to_dict()).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            answered, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        answered, text = error.code, error.read()
    assert answered == status, f"{operation_id}: {answered} {text}"
    if status == 204:
        return None
    reference = responses[str(status)]["content"]["application/json"]["schema"]["$ref"]
    answer = getattr(models, reference.rsplit("/", 1)[1]).from_dict(json.loads(text))
    # The output equals the input: no field is lost except those that are null.
    written = json.loads(json.dumps(answer.to_dict()))
    assert without_null(written) == without_null(json.loads(text)), f"{operation_id}: {written} {text}"
    return answer


def without_null(value):
    if isinstance(value, dict):
        return {name: without_null(each) for name, each in value.items() if each is not None}
    return [without_null(each) for each in value] if isinstance(value, list) else value


registration = models.CreateDomain(domain=DOMAIN, webhook_url=f"https://{DOMAIN}/events")
domain_id = call("createDomain", registration, 201).id
refused = call("createDomain", registration, 409).error.code
assert refused is models.CreateDomainErrorCode.DOMAIN_ALREADY_REGISTERED
domain = call("getDomain", id=domain_id)
domains = call("listDomains").domains
call("updateDomain", models.UpdateDomain(webhook_url=f"https://{DOMAIN}/others"), id=domain_id)
call("rotateSecret", id=domain_id)
call("verifyDomain", status=422, id=domain_id)

sent = call("sendTestEvent", status=202, id=domain_id)
assert isinstance(sent, models.Delivery) and sent.event is models.EventKind.TEST
again = call("resendDelivery", status=202, id=sent.id)
assert isinstance(again, models.Delivery)
delivery = call("getDelivery", id=sent.id)
deliveries = call("listDeliveries").deliveries
assert all(isinstance(each, models.Delivery) for each in deliveries)

created = call("createSession", models.CreateSession(domain=DOMAIN, mode=models.Action.LOGIN), 201)
session = call("getSession", id=created.id)
assert isinstance(session, models.Session) and session.status is models.SessionStatus.PENDING
call("refreshSession", models.RefreshSession(), id=created.id)
listed = call("listSessions").sessions[0]
signature = models.VerifySignature.from_dict(json.loads(os.environ["SIGNATURE"]))
valid = call("verifySignature", signature).valid
call("deleteDomain", status=204, id=domain_id)
unauthorized = call("listDomains", status=401, key="svc_test_x").error.code

assert used == set(OPERATIONS), set(OPERATIONS) - used
print(
    json.dumps(
        {
            "refused": refused.value,
            "unauthorized": unauthorized.value,
            "domains": [each.domain for each in domains],
            "delegation": domain.delegation.status.value,
            "kind": again.event.value,
            "deliveries": len(deliveries),
            "body": json.loads(delivery.body)["event"],
            "waits": "string",
            "listed": listed.id == created.id,
            "valid": valid,
        }
    )
)
