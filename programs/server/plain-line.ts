import { isJsonObject, type Json } from '../../src/protocol/json.ts'

const LEVELS = new Map([
  [20, 'debug '],
  [30, ''],
  [40, 'Warning: '],
  [50, 'Error: '],
])

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** An entry of the log, a JSON object, as a person reads it: time, message, facts. The time is that of this computer. */
export function plainLine(entry: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(entry) as { readonly [key: string]: Json }
  const clock = new Date(textOf(time)).toLocaleTimeString('en-GB')
  const reason = isJsonObject(err) ? `: ${textOf(err['message'])}` : ''
  const others = Object.entries(facts).map(([name, value]) => `${name} ${textOf(value)}`)
  const detail = others.length === 0 ? '' : ` (${others.join(', ')})`
  // Names that clients report must not move the cursor.
  const line = `${clock}  ${LEVELS.get(Number(level)) ?? ''}${textOf(msg)}${reason}${detail}`.replaceAll(
    /\p{Cc}+/gu,
    ' ',
  )
  const stack = isJsonObject(err) && typeof err['stack'] === 'string' && !('code' in err) ? err['stack'] : ''
  return stack === '' ? line : `${line}\n${stack}`
}
