import { t } from '@lingui/core/macro'
import type { ClientLimit } from '../../../folding/client/client.ts'
import type { SchedulesAnswer, SubjectAnswer } from '../../../folding/schedule/server-answers.ts'
import type { SessionSnapshot } from './session.machine.ts'
export function selectSchedules({ context }: SessionSnapshot): SchedulesAnswer | undefined {
  return context.schedules
}
export function isServerAway(snapshot: SessionSnapshot): boolean {
  return snapshot.matches('unreachable')
}

/** Why this page may not change schedules and states; undefined when it may. */
export function whyNoControl(snapshot: SessionSnapshot): string | undefined {
  if (snapshot.hasTag('signedOut'))
    return t`You are not signed in to this server any more, so its machines are disconnected.`
  if (!snapshot.matches('known')) return t`The server of this page does not answer.`
  return snapshot.context.session?.mayControl === false
    ? t`You are signed in to this server as a viewer, and viewers send no commands.`
    : undefined
}

/** Why this page may not change tags and views that the server keeps; undefined when it may. */
export function whyNoShared({ context: { session } }: SessionSnapshot): string | undefined {
  return session?.mayControl === false
    ? t`You are signed in to this server as a viewer, and viewers do not change its tags and views.`
    : undefined
}

const NOTHING: readonly string[] = []

/** What this page may send to each client, and what it is called there, by the client's number. */
export function selectLimits({ context: { session } }: SessionSnapshot): ReadonlyMap<number, ClientLimit> {
  return new Map(
    (session?.machines ?? []).map(({ number, name, commands, excess }) => [
      number,
      session?.mayControl === true
        ? { commands, because: 'settings' as const, name, excess }
        : { commands: NOTHING, because: 'role' as const, name, excess },
    ]),
  )
}

/** What is decided for a client, by its number, and for its groups. */
export function selectSubjectsOf({ context }: SessionSnapshot, client: number): readonly SubjectAnswer[] {
  return (context.schedules?.subjects ?? []).filter(subject => subject.machine === client)
}

/** Whether the server is being asked about the state of a client, or of one of its groups. */
export function isAskedAbout(client: number, group: string | undefined) {
  return ({ context: { task } }: SessionSnapshot): boolean =>
    (task?.kind === 'override' || task?.kind === 'follow') && task.machine === client && task.group === group
}

/** What went wrong with the last thing that was asked for, in words. */
export function selectFaultText({ context: { fault } }: SessionSnapshot): string | undefined {
  if (fault === undefined) return undefined
  switch (fault.kind) {
    case 'refused':
      return t`The server refused this: ${fault.reason}`
    case 'conflict':
      return t`The schedules were changed meanwhile in another page. They are shown as they are now; make your change again.`
    case 'unreachable':
      return t`The server did not answer, so nothing is known to have changed.`
  }
}
