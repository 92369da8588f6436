"""Keeps the messages of a user's conversations up to date, and prints them after each change.

Needs httpx and websockets. Usage: API=http://127.0.0.1:3000 TOKEN=... python3 messages.py"""

import asyncio, base64, json, os, random
import httpx, websockets

TOKEN = os.environ["TOKEN"]
api = httpx.AsyncClient(base_url=os.environ["API"], headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30)

messages: dict[str, dict] = {}
versions: dict[str, float] = {}
places: dict[str, int] = {}
cursor, reading = "", asyncio.Lock()
tasks: set[asyncio.Task] = set()


async def get(url: str, **query) -> dict:
    reply = await api.get(url, params=query or None)
    reply.raise_for_status()
    return {**reply.json(), "next": reply.links.get("next", {}).get("url")}


async def pages(url: str, **query):
    query["limit"] = 100
    while url:
        page = await get(url, **query)
        yield page
        url, query = page["has_more"] and page["next"], {}


def apply(event: dict) -> None:
    payload = event["payload"]
    if payload is None or event["version"] <= versions.get(payload["id"], 0) and "deleted" not in payload:
        return
    versions[payload["id"]] = float("inf") if "deleted" in payload else event["version"]
    if event["type"] == "conversation.deleted":
        for id in [id for id, one in messages.items() if one["conversation_id"] == payload["id"]]:
            messages.pop(id)
    elif "deleted" in payload:
        messages.pop(payload["id"], None)
    elif event["type"].startswith("message."):
        messages[payload["id"]] = payload
    print(json.dumps(messages), flush=True)


async def read_feed(delay: float) -> None:
    global cursor
    await asyncio.sleep(delay + random.uniform(0, 2))
    async with reading:
        async for page in pages("/v1/events", starting_after=cursor):
            for event in page["data"]:
                places[event["feed"]] = max(event["place"], places.get(event["feed"], 0))
                apply(event)
            cursor = httpx.URL(page["next"]).params["starting_after"]


async def listen(live: dict) -> None:
    shown = {"Authorization": f"Token {TOKEN}", "host": live["host"]}
    header = base64.urlsafe_b64encode(json.dumps(shown).encode()).decode().rstrip("=")
    async with websockets.connect(live["url"], subprotocols=["aws-appsync-event-ws", f"header-{header}"]) as socket:
        await socket.send(json.dumps({"type": "connection_init"}))
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "connection_ack":
                for number, channel in enumerate(live["channels"]):
                    names = {"id": f"s{number}", "channel": channel["name"], "authorization": shown}
                    await socket.send(json.dumps({"type": "subscribe", **names}))
            elif frame["type"] == "subscribe_success":
                tasks.update(asyncio.create_task(read_feed(delay)) for delay in (0, 5))
            elif frame["type"] == "data":
                receive(json.loads(frame["event"]))


def receive(event: dict) -> None:
    last, payload = places.get(event["feed"], 0), event["payload"] or {"reactions": []}
    is_whole = "reactions" not in payload or "message" in payload
    is_next = event["place"] == last + 1
    places[event["feed"]] = last + is_next
    if is_next and is_whole:
        apply(event)
    elif event["place"] > last:
        tasks.add(asyncio.create_task(read_feed(2)))


async def main() -> None:
    global cursor
    cursor = (live := await get("/v1/live"))["cursor"]
    places.update({channel["feed"]: channel["place"] for channel in live["channels"]})
    async for page in pages("/v1/messages"):
        messages.update({message["id"]: message for message in page["data"]})
    while True:
        try:
            await asyncio.wait_for(listen(live), live["expires_in"])
        except (OSError, asyncio.TimeoutError, websockets.ConnectionClosed):
            await asyncio.sleep(random.uniform(0, 5))
        live = await get("/v1/live")


asyncio.run(main())
