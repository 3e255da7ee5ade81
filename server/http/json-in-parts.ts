import type { Context } from 'hono'

/** Entries that are made text at once. */
const ENTRIES = 50

/**
 * An answer of JSON, with an object of many entries under `key`: it is written as fast as it is read, and other messages are
 * handled meanwhile.
 */
export function jsonInParts(
  context: Context,
  content: object,
  key: string,
  entries: ReadonlyMap<string, unknown>,
): Response {
  const encoder = new TextEncoder()
  const left = entries.entries()
  let text = JSON.stringify({ ...content, [key]: {} }).slice(0, -2)
  let isFirst = true
  const body = new ReadableStream<Uint8Array>({
    pull: controller => {
      for (let count = 0; count < ENTRIES; count++) {
        const next = left.next()
        if (next.done === true) {
          controller.enqueue(encoder.encode(`${text}}}`))
          controller.close()
          return
        }
        const [name, value] = next.value
        text += `${isFirst ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`
        isFirst = false
      }
      controller.enqueue(encoder.encode(text))
      text = ''
    },
  })
  return context.body(body, 200, { 'Content-Type': 'application/json' })
}
