import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Page } from '../page.tsx'

export const WorkUnitsScreen = () => (
  <Page title="Work Units">
    <EmptyState
      icon="units"
      title="No matching work units."
      actions={
        <ButtonLink kind="primary" to="/machines">
          Show the machines
        </ButtonLink>
      }
    >
      <p>Nothing is collected here. The work units that your machines have now are listed with each machine.</p>
    </EmptyState>
  </Page>
)
