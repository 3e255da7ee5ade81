import { t } from '@lingui/core/macro'
import { useParams } from 'react-router-dom'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { Section } from '../section.tsx'
import { WhenLoaded } from '../when-loaded.tsx'

const UnitChart = lazyComponent(() => import('./unit-chart.tsx').then(m => m.UnitChart), t`The chart`)

/** The unit's own history. */
export function UnitHistory() {
  const { unitID = '' } = useParams()
  return (
    <Section title={t`History`}>
      <WhenLoaded part="records" what={t`The chart`}>
        <UnitChart unit={unitID} />
      </WhenLoaded>
    </Section>
  )
}
