import { CAUGHT_ERROR, type RecordedEntry } from './recording.ts'

const FAILED = /(?:\.failed|\.closed|\.faultFound|\.lost|\.overdue|Lost|\.reject)$/

/** Whether an event reports a fault: a lost connection, a failed call, an unreadable message. */
export function isFaulty({ event }: RecordedEntry): boolean {
  if (event.type === CAUGHT_ERROR || FAILED.test(event.type)) return true
  if (event.type === 'xstate.promise.resolve') return isRefusal(event['data'])
  const facts: unknown = event['facts']
  return (
    Array.isArray(facts) &&
    facts.some(
      (fact: unknown) => typeof fact === 'object' && fact !== null && 'type' in fact && fact.type === 'fault.found',
    )
  )
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false
}
