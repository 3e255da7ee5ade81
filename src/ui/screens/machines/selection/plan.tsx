import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { BulkPlan, PlanEntry } from '../../../../folding/fleet/bulk-action.ts'
import { effectCountText, effectText, EFFECT_ORDER } from '../../../../folding/fleet/bulk-text.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { BulkClientList, type ClientLine } from './client-list.tsx'
import { effectMarks } from './marks.ts'

function inOrder(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  return EFFECT_ORDER.flatMap(kind => entries.filter(({ effect }) => effect.kind === kind))
}

/** What is done to each machine: how often what, then machine by machine. */
export function Plan({ plan }: { readonly plan: BulkPlan }) {
  const ordered = useMemo(() => inOrder(plan.entries), [plan])
  const lineAt = (position: number): ClientLine => {
    const entry = ordered[position]
    if (entry === undefined) return { id: '', name: '', icon: 'unknown', tone: 'unknown', text: '' }
    return { id: entry.id, name: entry.name, ...effectMarks[entry.effect.kind], text: effectText(entry.effect) }
  }
  return (
    <>
      <ul className="flex wrap gap-1-4" aria-label={t`Effects`}>
        {EFFECT_ORDER.filter(kind => plan.counts[kind] > 0).map(kind => (
          <li key={kind}>
            <StatusMark {...effectMarks[kind]} text={effectCountText(kind, plan.counts[kind])} />
          </li>
        ))}
      </ul>
      <BulkClientList label={t`What happens to each machine`} count={ordered.length} lineAt={lineAt} />
    </>
  )
}
