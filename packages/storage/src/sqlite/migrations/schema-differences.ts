import { type Database, loadDriver } from '../driver.ts'
import { migrations } from './index.ts'

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string | null
}

/** In words, what the schema has too little, too much or otherwise than these migrations create it. */
export function schemaDifferences(database: Database): readonly string[] {
  const [actual, expected] = [readSchema(database), createdSchema()]
  if (actual.get('table "meta"') === expected.get('table "meta"') && newerSchemaVersion(database) !== undefined)
    return []
  const missing = [...expected.keys()].filter((object) => !actual.has(object))
  const added = [...actual.keys()].filter((object) => !expected.has(object))
  const changed = [...expected].filter(([object, is]) => actual.has(object) && actual.get(object) !== is)
  return [
    ...missing.map((object) => `the schema lacks the ${object}`),
    ...changed.map(([object]) => `the schema has another ${object} than Daybook creates`),
    ...added.map((object) => `the schema has the ${object}, which Daybook does not create`),
  ]
}

/** Newer code that lets this one write beside it may have added what this one does not know. Undefined for no newer one. */
export function newerSchemaVersion(database: Database): number | undefined {
  const version = database.prepare<[], number | null>('SELECT max(schema_version) FROM meta').pluck().get() ?? 0
  return version > migrations.at(-1)!.version ? version : undefined
}

function createdSchema(): ReadonlyMap<string, string> {
  const Driver = loadDriver()
  const database = new Driver(':memory:')
  try {
    for (const { sql } of migrations) database.exec(sql)
    return readSchema(database)
  } finally {
    database.close()
  }
}

/** What each object is, by its type and name. How it is spaced does not matter: a published step may be indented anew. */
function readSchema(database: Database): ReadonlyMap<string, string> {
  const objects = database
    .prepare<[], SchemaObject>("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'")
    .all()
  return new Map(
    objects.map(({ type, name, tbl_name, sql }) => [
      `${type} "${name}"`,
      JSON.stringify([tbl_name, sql?.replace(/\s+/g, ' ')]),
    ]),
  )
}
