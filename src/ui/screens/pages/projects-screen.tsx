import { useSelector } from '@xstate/react'
import { selectTotals } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../system-context.ts'
import { Page } from '../page.tsx'

const None = () => (
  <EmptyState
    icon="projects"
    title="No active projects."
    actions={
      <ButtonLink kind="primary" to="/machines">
        Show the machines
      </ButtonLink>
    }
  >
    <p>While you are folding active projects will display here.</p>
  </EmptyState>
)

const Some = () => (
  <EmptyState
    icon="projects"
    title="Your machines are folding"
    actions={
      <>
        <ButtonLink kind="primary" to="/machines">
          Show the machines
        </ButtonLink>
        <ButtonLink to="https://foldingathome.org/diseases/">About the research</ButtonLink>
      </>
    }
  >
    <p>Each work unit’s row names its project. What the projects are for is told on foldingathome.org.</p>
  </EmptyState>
)

export const ProjectsScreen = () => {
  const isFolding = useSelector(useSystem().fleet, (snapshot) => selectTotals(snapshot).active > 0)
  return <Page title="Projects">{isFolding ? <Some /> : <None />}</Page>
}
