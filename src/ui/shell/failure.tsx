import { useRouteError } from 'react-router-dom'
import { ButtonLink } from '../parts/actions/button-link.tsx'
import { EmptyState } from '../parts/display/empty-state.tsx'

/** When a screen cannot even be fetched, or the shell itself fails. */
export const Failure = () => {
  const error = useRouteError()
  return (
    <main>
      <EmptyState
        icon="fail"
        title="This page cannot be shown"
        actions={<ButtonLink to="/machines">Show the machines</ButtonLink>}
      >
        <p>
          Either a part of Foldboard could not be fetched, or it has a mistake. Your machines go on folding. Reload the
          page to try again.
        </p>
        <p>
          <code>{String(error)}</code>
        </p>
      </EmptyState>
    </main>
  )
}
