"""Full-text search over the catalogue."""

from flask import Blueprint, current_app, request

from shop import db

routes = Blueprint("search", __name__)

QUERY = """
select slug, name, ts_rank(document, query) as rank
from products, websearch_to_tsquery('simple', unaccent(%s)) as query
where document @@ query and not hidden
order by rank desc, sold_last_month desc
limit %s offset %s
"""


@routes.get("/")
def find():
    words = request.args.get("q", "").strip()
    page = max(int(request.args.get("page", "1")), 1)
    size = current_app.config["SHOP"]["catalog"]["page_size"]
    if words == "":
        return {"results": []}
    with db.connection() as one:
        rows = one.execute(QUERY, [words, size, (page - 1) * size]).fetchall()
    return {"results": [{"slug": row[0], "name": row[1]} for row in rows]}
