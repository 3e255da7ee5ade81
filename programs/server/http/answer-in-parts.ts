import type { Context } from 'hono'
import { pauseForMessages } from '../event-loop.ts'

/** Entries that are made text at once. */
const ENTRIES = 50

/** An answer that is written as fast as it is read: other messages are handled between its parts. */
export function answerInParts(
  context: Context,
  parts: Iterable<string> | AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): Response {
  const encoder = new TextEncoder()
  const left = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: async controller => {
      await pauseForMessages()
      const next = await left.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
  return context.body(body, 200, headers)
}

/** What is between the braces or brackets of JSON. */
export function* jsonOfMany<Item>(items: readonly Item[], textOf: (item: Item) => string): Iterable<string> {
  for (let at = 0; at < items.length; at += ENTRIES)
    yield `${at === 0 ? '' : ','}${items
      .slice(at, at + ENTRIES)
      .map(textOf)
      .join(',')}`
}
