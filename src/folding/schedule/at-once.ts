/*
 * What a schedule does as soon as it is saved, for each machine, as the preview of an action on many machines has it.
 */
import { t } from '@lingui/core/macro'
import { clientKeyOf, clientName, type ClientView } from '../client/client.ts'
import { failedText, groupsOf, groupState, hasGroups } from '../client/group.ts'
import type { BulkEffect, BulkPlan, PlanEntry } from '../fleet/bulk-action.ts'
import { idleEffect } from '../fleet/idle-plan.ts'
import { EMPTY_WORLD, planBulk, planOf } from '../fleet/bulk-plan.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { formatLocalShort, parseTime } from '../text/times.ts'
import type { History } from '../unit/history.ts'
import { conditionsFor, nextConditions } from './conditions.ts'
import { chooseAt, idleAhead } from './decide.ts'
import { cpuCounts, partChoice, partSeen, scopeTitle } from './parts.ts'
import { isPart, schedulesOf, subjectsOf, type Schedule, type Subject } from './schedule.ts'
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
  history: Pick<History, 'units'>,
  now: number,
): BulkPlan {
  const values = Object.fromEntries(inputs.map(({ name, value, at }) => [name, { value, at: parseTime(at) ?? 0 }]))
  // Of rules that are not saved yet the server says nothing.
  const expected = { ...nextConditions([draft], conditions, { inputs: values }, now), ...conditions }
  const entries = machines.flatMap(machine => {
    const hasGroup = (group: string): boolean =>
      machine.groups.length === 0 || machine.groups.includes(group) || cpuCounts(group) !== undefined
    const machineConditions = conditionsFor(schedules, expected, machine.address)
    const view = viewOf(machine.number)
    return subjectsOf(schedules, machine, hasGroup).flatMap((subject): readonly PlanEntry[] => {
      const deciding = schedulesOf(schedules, subject, machine)
      const { schedule, state, rule } = chooseAt(deciding, machineConditions, now)
      const ahead = idleAhead(deciding, machineConditions, now)
      const idle =
        ahead?.choice.schedule === draft.id && (state ?? 'fold') === 'fold' && view?.data !== undefined
          ? idleEffect(ahead, view.data, clientKeyOf(view) ?? '', undefined, history, now)
          : undefined
      const decided = schedule === draft.id ? state : undefined
      if (decided === undefined && idle === undefined) return []
      const { group } = subject
      const isOverridden = subjects.some(
        each => each.machine === machine.number && each.group === (group ?? null) && each.override !== null,
      )
      const name = view === undefined ? machine.name : clientName(view)
      return [
        {
          id: `${machine.number} ${group === undefined ? '' : JSON.stringify(group)}`,
          name: group === undefined ? name : t`${name}, ${scopeTitle(group)}`,
          effect: isOverridden
            ? {
                kind: 'excluded',
                because: t`A person’s command stays in effect until the schedule’s next change, or for the chosen time.`,
              }
            : machine.mayAct
              ? withIdle(
                  decided === undefined ? undefined : effectOn(view, subject, decided, draft, rule, machine, now),
                  idle,
                )
              : { kind: 'impossible', because: t`Not applied: this server only observes this machine.` },
        },
      ]
    })
  })
  return planOf(entries)
}

const LEFT_PAUSED: BulkEffect = {
  kind: 'excluded',
  because: t`Somebody paused it: it stays paused until somebody resumes it.`,
}

/** With what it means to be idle by a time. */
function withIdle(effect: BulkEffect | undefined, idle: BulkEffect | undefined): BulkEffect {
  if (idle?.kind !== 'change' || (effect !== undefined && effect.kind !== 'change' && effect.kind !== 'same'))
    return effect ?? idle ?? { kind: 'disconnected' }
  return effect?.kind === 'change' ? { ...effect, costs: [...(effect.costs ?? []), ...(idle.costs ?? [])] } : idle
}

function effectOn(
  view: ClientView | undefined,
  { group }: Subject,
  state: FoldingState,
  { rules, finishMinutes }: Schedule,
  rule: number | undefined,
  machine: Saved['machines'][number],
  now: number,
): BulkEffect {
  if (view === undefined) return { kind: 'disconnected' }
  // What else is paused was paused by a person.
  const resumable = rules[rule ?? -1]?.resumesPaused === true ? machine.groups : (machine.paused ?? [])
  if (isPart(group)) {
    const world = { ...EMPTY_WORLD, isServed: true, now }
    const action = { kind: 'processor', state, which: partChoice(group) } as const
    const [entry] = planBulk(action, [{ id: view.id, view }], world).entries
    const isLeft =
      state === 'fold' &&
      cpuCounts(group) === undefined &&
      entry?.effect.kind === 'change' &&
      !resumable.includes(group)
    if (isLeft || entry === undefined) return LEFT_PAUSED
    const isCount = cpuCounts(group) !== undefined && view.data !== undefined
    const endsAt = isCount ? partSeen(view.data, [], group, now)?.endsAt : undefined
    return entry.effect.kind === 'change' && endsAt !== undefined && endsAt <= now + finishMinutes * 60_000
      ? { ...entry.effect, costs: [t`when a unit has ended, about ${formatLocalShort(endsAt)}`] }
      : entry.effect
  }
  const groups = groupsOf(view.data)
  const names = Object.keys(groups).filter(name => group === undefined || name === group)
  const effect = effectOnGroups(view, names, state)
  const isKept = (name: string): boolean =>
    state === 'fold' &&
    groupState(groups[name]) === 'pause' &&
    failedText(groups[name]) === undefined &&
    !resumable.includes(name)
  const kept = names.filter(isKept)
  if ((effect.kind !== 'change' && effect.kind !== 'same') || kept.length === 0) return effect
  if (kept.length === names.length) return LEFT_PAUSED
  const others = names.filter(name => !kept.includes(name))
  const rest = effectOnGroups(view, others, state)
  return rest.kind === 'change' || rest.kind === 'same' ? { ...rest, kept } : rest
}

/** As if the machine had these groups alone. */
function effectOnGroups(view: ClientView, names: readonly string[], state: FoldingState): BulkEffect {
  const { data } = view
  const groups = Object.fromEntries(Object.entries(groupsOf(data)).filter(([name]) => names.includes(name)))
  const target = {
    id: view.id,
    view: data === undefined || !hasGroups(data) ? view : { ...view, data: { ...data, groups } },
  }
  const [entry] = planBulk({ kind: 'state', state, keepsPaused: false }, [target], EMPTY_WORLD).entries
  return entry?.effect ?? { kind: 'disconnected' }
}
