"""The web page and its JSON. Only reachable from the garden's own network."""

from __future__ import annotations

import asyncio
from datetime import datetime, time, timedelta

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from .config import Config
from .scheduler import Scheduler


def app(scheduler: Scheduler) -> Starlette:
    async def status(_: Request) -> JSONResponse:
        return JSONResponse({"tank_l": scheduler.tank.litres()})

    async def pause(request: Request) -> JSONResponse:
        body = await request.json()
        if not body.get("name"):
            # Not a login: the rota wants to know whom to ask.
            return JSONResponse({"error": "who are you?"}, status_code=422)
        until = scheduler.pause(int(body.get("hours", 24)))
        return JSONResponse({"paused_until": until.isoformat()})

    return Starlette(routes=[
        Route("/status", status),
        Route("/pause", pause, methods=["POST"]),
    ])


async def serve(config: Config, scheduler: Scheduler) -> None:
    server = uvicorn.Server(uvicorn.Config(app(scheduler), host=config.api.host, port=config.api.port))
    await asyncio.gather(server.serve(), _daily(config, scheduler))


async def _daily(config: Config, scheduler: Scheduler) -> None:
    start = time.fromisoformat(config.schedule.start)
    while True:
        now = datetime.now()
        due = datetime.combine(now.date(), start)
        if due <= now:
            due += timedelta(days=1)
        await asyncio.sleep((due - now).total_seconds())
        await scheduler.run_once()
