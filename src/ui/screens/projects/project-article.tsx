import { projectTitle } from '../../../folding/unit/unit-progress.ts'
import type { ProjectWork } from '../../../folding/fleet/project-work.ts'
import { selectProjectClients } from '../../../machines/connection/fleet/fleet.selectors.ts'
import type { Project } from '../../../protocol/api/api.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { FeedEntry } from '../feed.tsx'
import { ProjectPicture } from './project-picture.tsx'
import { Facts, ProjectText } from './project-text.tsx'
import styles from './projects-screen.module.css'
import { RunsOn } from './runs-on.tsx'
import { WithoutPoints, workFacts } from './work-done.tsx'

const none: readonly string[] = []

type Props = { readonly id: number; readonly project: Project | undefined; readonly work: ProjectWork | undefined }

/** One active project with its description, where it runs, and what was done for it. */
export function ProjectArticle({ id, project, work }: Props) {
  const { fleet, projects } = useSystem()
  const isWanted = useSelector(projects, snapshot => snapshot.hasTag('wanted'))
  const clients = useSelector(fleet, snapshot => selectProjectClients(snapshot).get(id) ?? none, shallowEqual)
  return (
    <FeedEntry
      picture={<ProjectPicture project={id} clients={clients} thumb={project?.thumb} />}
      title={projectTitle(id)}
      aside={
        <>
          <RunsOn project={id} clients={clients} />
          {work === undefined ? undefined : (
            <>
              <div className={styles['own']}>
                <Facts facts={workFacts(work)} />
              </div>
              <WithoutPoints count={work.withoutPoints} className="quiet" />
            </>
          )}
        </>
      }
    >
      <ProjectText id={id} isWanted={isWanted} />
    </FeedEntry>
  )
}
