import { useParams, useSearchParams } from 'react-router-dom'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { MachinePage } from './machine-page.tsx'

const Details = () => {
  const { machID = '' } = useParams()
  return (
    <ButtonLink kind="primary" to={`/${encodeURIComponent(machID)}/details`}>
      Show the details
    </ButtonLink>
  )
}

export const LogScreen = () => {
  const [params] = useSearchParams()
  const search = params.get('q') ?? ''
  return (
    <MachinePage title="Log">
      <EmptyState icon="log" title="No matching log lines." actions={<Details />}>
        <p>
          {search === '' ? 'The machine writes its log' : `The machine writes what it does with ${search}`} to log.txt in the
          client’s data folder.
        </p>
      </EmptyState>
    </MachinePage>
  )
}
