import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { selectActiveProjects } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { areProjectsLoading } from '../../../machines/screens/projects/projects.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Feed, FeedLoading } from '../feed.tsx'
import { Page } from '../page.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { ProjectArticle } from './project-article.tsx'
import styles from './projects-screen.module.css'

const None = () => (
  <EmptyState
    icon="projects"
    title={t`No active projects.`}
    actions={
      <ButtonLink kind="primary" to="/machines">
        {t`Show machines`}
      </ButtonLink>
    }
  >
    <p>{t`While you are folding active projects will display here.`}</p>
  </EmptyState>
)

const ActiveProjects = () => {
  const { fleet, projects } = useSystem()
  const active = useSelector(fleet, selectActiveProjects, shallowEqual)
  const isLoading = useSelector(projects, areProjectsLoading)
  useEffect(() => {
    projects.send({ type: 'projects.open' })
    return () => projects.send({ type: 'projects.close' })
  }, [projects])
  if (active.length === 0) return isLoading ? <FeedLoading label={t`Projects`} /> : <None />
  return (
    <Feed className={styles['projects']}>
      {active.map(id => (
        <ProjectArticle key={id} id={id} />
      ))}
    </Feed>
  )
}

/** The projects of the work units that the clients have now. */
export const ProjectsScreen = () => {
  const hasProjects = useSelector(useSystem().fleet, snapshot => selectActiveProjects(snapshot).length > 0)
  return (
    <Page title={t`Projects`} {...(hasProjects ? { subtitle: t`The projects your machines are working on now.` } : {})}>
      <WhenLoaded part="projects" what={t`Projects`}>
        <ActiveProjects />
      </WhenLoaded>
    </Page>
  )
}
