/* Texts of notifications. */
import { plural, t } from '@lingui/core/macro'
import { groupIncidents, clientsOf } from '../../folding/incidents/incident-groups.ts'
import { incidentTitle, kindEntry, manyText } from '../../folding/incidents/incident-kinds.ts'
import { type Incident, byGravityAndAge } from '../../folding/incidents/incident.ts'
import { formatList } from '../../folding/text/format.ts'

export type NotificationText = { readonly title: string; readonly body: string; readonly tag: string }

/** Lines of a notification; browsers show about four. */
const MAX_LINES = 4
/** Names of clients in one line. */
const MAX_NAMES = 3

/** One notification for all incidents: a line for each group. */
export function digestOf(incidents: readonly Incident[], now: number): NotificationText {
  const sorted = [...incidents].sort(byGravityAndAge)
  const groups = groupIncidents(sorted)
  const [first] = sorted
  // Notifications with the same tag replace each other, also those of several tabs.
  const key = `foldboard-${sorted
    .map(({ key }) => key)
    .join(' ')
    .slice(0, 500)}`
  if (first !== undefined && sorted.length === 1) {
    return { title: incidentTitle(first), body: kindEntry(first.kind).cause(first, now), tag: key }
  }
  const lines = groups.slice(0, MAX_LINES).map(group => {
    const { incidents: members } = group
    const names = [...new Set(members.map(({ name }) => name))]
    const more = clientsOf(group).length - MAX_NAMES
    const listed = formatList(names.slice(0, MAX_NAMES))
    const text = more > 0 ? t`${listed} and ${more} more` : listed
    return `${manyText(members[0].kind, members.length)}: ${text}`
  })
  const rest = groups.length - MAX_LINES
  if (rest > 0) lines.push(plural(rest, { one: '# more kind of incident', other: '# more kinds of incidents' }))
  return {
    title: plural(sorted.length, { one: '# incident needs attention', other: '# incidents need attention' }),
    body: lines.join('\n'),
    tag: key,
  }
}

/** Shown by the button that tries notifications. */
export function testNotificationText(): NotificationText {
  return {
    title: t`Foldboard can notify you`,
    body: t`Incidents of your machines will look like this.`,
    tag: 'foldboard-trial',
  }
}
