import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { RouteSpec } from './route-fields.ts'
import { routes } from './routes.ts'

type JsonObject = Record<string, unknown>

/** JSON schema of what is sent (`input`) or returned. Checks that JSON schema cannot express are left out. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonObject {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode: 'input',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'date' ? { type: 'string', format: 'date-time' } : jsonSchema,
  })
  return rest
}

const NEEDS: Readonly<Record<RouteSpec['need'], string>> = {
  public: 'Needs no session.',
  metrics: 'Needs a user, or a token with the scope metrics or read.',
  view: 'Needs a user, or a token with the scope read.',
  control: 'Needs the role operator, or a token with the scope control.',
  inputs: 'Needs the role operator, or a token with the scope inputs or control.',
  administer: 'Needs the role administrator.',
}

/** The OpenAPI description of the HTTP API. */
export function describeApi(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, route] of Object.entries<RouteSpec>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Foldboard server', version },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'foldboard_session',
          description: 'Over TLS its name is __Host-foldboard_session',
        },
      },
    },
    paths,
  }
}

function operationOf(name: string, { path, need, summary, query, body, answer, isForm }: RouteSpec): JsonObject {
  const properties = query === undefined ? {} : ((jsonSchemaOf(query)['properties'] ?? {}) as JsonObject)
  const content =
    typeof answer === 'string' ? { [answer]: {} } : { 'application/json': { schema: jsonSchemaOf(answer) } }
  const bodyType = isForm === true ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    operationId: name,
    summary,
    description: NEEDS[need],
    security: need === 'public' ? [] : [{ token: [] }, { session: [] }],
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema: { type: parameter === 'number' ? 'integer' : 'string' },
      })),
      ...Object.entries(properties).map(([parameter, schema]) => ({
        name: parameter,
        in: 'query',
        required: false,
        schema,
      })),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [bodyType]: { schema: jsonSchemaOf(body) } } } }),
    responses: {
      '200': { description: 'Done', content },
      ...(need === 'public' ? {} : { '401': { description: 'Not signed in' }, '403': { description: 'Not allowed' } }),
      ...(query === undefined && body === undefined ? {} : { '400': { description: 'A value is wrong' } }),
      '429': { description: 'Too many requests; Retry-After tells when' },
    },
  }
}
