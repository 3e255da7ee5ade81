import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'

const ClientCheckbox = lazyComponent(() => import('./client-checkbox.tsx').then(m => m.ClientCheckbox), t`The checkbox`)

/** A client's checkbox while clients are being selected. */
export function SelectBox(props: { readonly id: string; readonly name: string }) {
  const { selection } = useSystem()
  return useSelector(selection, snapshot => snapshot.hasTag('selecting')) ? <ClientCheckbox {...props} /> : null
}
