/*
 * What a schedule does as soon as it is saved, for each machine, as the preview of an action on many machines has it.
 */
import { t } from '@lingui/core/macro'
import { clientName, type ClientView } from '../client/client.ts'
import { groupsOf, groupTitle, hasGroups } from '../client/group.ts'
import type { BulkEffect, BulkPlan, PlanEntry } from '../fleet/bulk-action.ts'
import { planBulk, planOf } from '../fleet/bulk-plan.ts'
import type { FoldingState } from '../../protocol/commands.ts'
import { NO_TAGS } from '../fleet/tags.ts'
import { parseTime } from '../shared/times.ts'
import { conditionsFor, nextConditions } from './conditions.ts'
import { chooseAt } from './decide.ts'
import { schedulesOf, subjectsOf, type Schedule, type Subject } from './schedule.ts'
import type { SchedulesAnswer } from './server-answers.ts'

export type Saved = Pick<SchedulesAnswer, 'machines' | 'conditions' | 'inputs' | 'subjects'>

/**
 * `schedules`: all of them, with the draft. `viewOf`: a machine by its number at the server. `now`: epoch milliseconds. Of
 * machines for which the draft decides nothing now there is no entry.
 */
export function planAtOnce(
  draft: Schedule,
  schedules: readonly Schedule[],
  { machines, conditions, inputs, subjects }: Saved,
  viewOf: (number: number) => ClientView | undefined,
  now: number,
): BulkPlan {
  const values = Object.fromEntries(inputs.map(({ name, value, at }) => [name, { value, at: parseTime(at) ?? 0 }]))
  // Of rules that are not saved yet the server says nothing.
  const expected = { ...nextConditions([draft], conditions, { inputs: values }, now), ...conditions }
  const entries = machines.flatMap(machine => {
    const hasGroup = (group: string): boolean => machine.groups.length === 0 || machine.groups.includes(group)
    const own = conditionsFor(schedules, expected, machine.address)
    const view = viewOf(machine.number)
    return subjectsOf(schedules, machine, hasGroup).flatMap((subject): readonly PlanEntry[] => {
      const { schedule, state, rule } = chooseAt(schedulesOf(schedules, subject, machine), own, now)
      if (schedule !== draft.id || state === undefined) return []
      const { group } = subject
      const isOverridden = subjects.some(
        each => each.machine === machine.number && each.group === (group ?? null) && each.override !== null,
      )
      const name = view === undefined ? machine.name : clientName(view)
      return [
        {
          id: `${machine.number} ${group === undefined ? '' : JSON.stringify(group)}`,
          name: group === undefined ? name : t`${name}, ${groupTitle(group)}`,
          effect: isOverridden
            ? {
                kind: 'excluded',
                because: t`A command of a person wins until the next boundary, or for the chosen time.`,
              }
            : machine.mayAct
              ? effectOn(view, subject, state, draft.rules[rule ?? -1]?.resumesPaused !== true)
              : { kind: 'impossible', because: t`Not applied: this server only observes this machine.` },
        },
      ]
    })
  })
  return planOf(entries)
}

function effectOn(
  view: ClientView | undefined,
  { group }: Subject,
  state: FoldingState,
  keepsPaused: boolean,
): BulkEffect {
  if (view === undefined) return { kind: 'disconnected' }
  const world = { account: undefined, otherNames: new Set<string>(), tags: NO_TAGS }
  const target = { id: view.id, view: group === undefined ? view : viewOfGroup(view, group) }
  const [entry] = planBulk({ kind: 'state', state, keepsPaused }, [target], world).entries
  return entry?.effect ?? { kind: 'disconnected' }
}

/** The machine as if it had this group alone. */
function viewOfGroup(view: ClientView, group: string): ClientView {
  const { data } = view
  const groups = groupsOf(data)
  const own = Object.hasOwn(groups, group) ? groups[group] : undefined
  return data === undefined || own === undefined || !hasGroups(data)
    ? view
    : { ...view, data: { ...data, groups: { [group]: own } } }
}
