import type { Context } from 'hono'
import * as v from 'valibot'
import { refusal } from './errors.ts'

function checked<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const where = v.getDotPath(issue)
  throw refusal(400, where === null ? issue.message : `${where}: ${issue.message}`)
}

export function readQuery<Schema extends v.GenericSchema>(context: Context, schema: Schema): v.InferOutput<Schema> {
  return checked(schema, context.req.query())
}

export async function readBody<Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  let body: unknown
  try {
    body = await context.req.json()
  } catch {
    throw refusal(400, 'The request body is not JSON')
  }
  return checked(schema, body)
}

export function readId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw refusal(404, 'Not found')
  return Number(text)
}
