import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Page } from '../page.tsx'

export const NewsScreen = () => (
  <Page title="News">
    <EmptyState
      icon="news"
      title="The project’s news"
      actions={
        <ButtonLink kind="primary" to="https://foldingathome.org/news/">
          Read the news
        </ButtonLink>
      }
    >
      <p>What the research teams have found, and what changes for volunteers, is told on foldingathome.org.</p>
    </EmptyState>
  </Page>
)
