import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Page } from '../page.tsx'

export const UnitScreen = () => {
  const { unitID = '' } = useParams()
  return (
    <Page title="Work Unit Details" subtitle={<code>{unitID}</code>}>
      <EmptyState
        icon="units"
        title="No credits logged"
        actions={
          <ButtonLink kind="primary" to="/machines">
            Show the machines
          </ButtonLink>
        }
      >
        <p>What is known of a work unit stands in its row beneath the machine that folds it.</p>
      </EmptyState>
    </Page>
  )
}
