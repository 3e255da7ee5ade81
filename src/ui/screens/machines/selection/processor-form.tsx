import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { BulkAction } from '../../../../folding/fleet/bulk-action.ts'
import { gpuModels } from '../../../../folding/fleet/processor-plan.ts'
import { compareTexts } from '../../../../folding/text/format.ts'
import type { System } from '../../../../machines/app/system.ts'
import { selectData } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { Segments, type Segment } from '../../../parts/actions/segments.tsx'
import { Select, type Option } from '../../../parts/fields/select.tsx'
import { notesFor } from '../client/request-processor.ts'
import styles from './bulk-dialog.module.css'

type ProcessorAction = Extract<BulkAction, { readonly kind: 'processor' }>
type Props = { readonly action: ProcessorAction; readonly ids: readonly string[] }

const states: readonly Segment<FoldingState>[] = [
  { id: 'pause', label: t`Pause` },
  { id: 'fold', label: t`Fold` },
  { id: 'finish', label: t`Finish` },
]

/** No model of a GPU. */
const CPUS = ' cpus'

/** The models of GPUs that these clients have when the form is opened, and CPUs. */
function optionsOf(ids: readonly string[], system: System): readonly Option[] {
  const models = new Set<string>()
  for (const id of ids) {
    const snapshot = selectClientRef(id)(system.fleet.getSnapshot())?.getSnapshot()
    const data = snapshot === undefined ? undefined : selectData(snapshot)
    if (snapshot !== undefined && data !== undefined)
      for (const model of gpuModels(data, notesFor(system, snapshot))) models.add(model)
  }
  const gpus = [...models].sort(compareTexts).map(model => ({ id: model, label: model }))
  return [...gpus, { id: CPUS, label: t`CPUs` }]
}

/** Which GPUs or CPUs of the selected clients, and what they shall do. */
export function ProcessorForm({ action, ids }: Props) {
  const system = useSystem()
  const { bulk } = system
  const [options] = useState(() => optionsOf(ids, system))
  const edit = (change: Partial<ProcessorAction>): void =>
    bulk.send({ type: 'bulk.edit', action: { ...action, ...change } })
  const chosen = action.which.kind === 'cpus' ? CPUS : action.which.kind === 'model' ? action.which.model : ''
  return (
    <form
      className={styles['content']}
      onSubmit={event => {
        event.preventDefault()
        bulk.send({ type: 'bulk.showPreview' })
      }}
    >
      <p className="quiet">{t`Other work units of the same group go on.`}</p>
      <Select
        label={t`GPUs and CPUs`}
        options={options}
        value={chosen}
        onChange={id => edit({ which: id === CPUS ? { kind: 'cpus' } : { kind: 'model', model: id } })}
      />
      <Segments
        label={t`Pause, fold or finish`}
        segments={states}
        value={action.state}
        onChange={state => edit({ state })}
      />
    </form>
  )
}
