"""Builds the Flask application."""

from flask import Flask, jsonify, request

from shop import db, settings
from shop.auth import sessions
from shop.catalog import products, search
from shop.errors import ShopError
from shop.orders import checkout
from shop.payments import webhooks


def create_app() -> Flask:
    app = Flask("fernhill")
    app.config["SHOP"] = settings.load()
    db.open_pool(app.config["SHOP"]["database"])

    app.register_blueprint(products.routes, url_prefix="/api/products")
    app.register_blueprint(search.routes, url_prefix="/api/search")
    app.register_blueprint(checkout.routes, url_prefix="/api/checkout")
    app.register_blueprint(webhooks.routes, url_prefix="/hooks/paybridge")

    app.before_request(sessions.load_current_customer)
    app.register_error_handler(ShopError, answer_error)
    app.add_url_rule("/healthz", "health", health)
    return app


def answer_error(error: ShopError):
    body = {"code": error.code, "message": str(error), "path": request.path}
    return jsonify(body), error.status


def health():
    with db.connection() as connection:
        connection.execute("select 1")
    return {"status": "ok"}


app = create_app
