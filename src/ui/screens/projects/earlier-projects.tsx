import { t } from '@lingui/core/macro'
import { projectTitle } from '../../../folding/unit/unit-progress.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ProjectWork } from '../../../folding/fleet/project-work.ts'
import { causeTitle } from '../../../folding/text/client-words.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { formatDate } from '../../../folding/text/times.ts'
import type { Project } from '../../../protocol/api/api.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { Section } from '../section.tsx'
import styles from './earlier-projects.module.css'
import { ProjectThumb } from './project-picture.tsx'
import { Facts, ProjectText } from './project-text.tsx'
import { WithoutPoints, workFacts } from './work-done.tsx'

/** Rows that are shown at first, and with each press. */
const PAGE = 20

/** Has the description of a project loaded. */
function Described({ id }: { readonly id: number }) {
  useResource(projectKey(id))
  return null
}

function Row({ work, project }: { readonly work: ProjectWork; readonly project: Project | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const { project: id, until } = work
  const cause = project?.cause ?? ''
  return (
    <li>
      <details className={styles['row']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <ProjectThumb thumb={project?.thumb} />
          <div className={styles['name']}>
            <h3>{projectTitle(id)}</h3>
            <p>{cause === '' ? '' : causeTitle(cause)}</p>
          </div>
          <Facts facts={[...workFacts(work), [t({ message: 'Until', context: 'date' }), formatDate(until)]]} />
          <Icon name="chevron-down" />
        </summary>
        {isOpen ? (
          <div className={styles['text']}>
            <ProjectText id={id} />
            <WithoutPoints count={work.withoutPoints} className="quiet type-3" />
            <p>
              <Link to={`/wus?project=${id}`}>{t`Show work units`}</Link>
            </p>
          </div>
        ) : undefined}
      </details>
    </li>
  )
}

type Props = {
  /** All earlier projects, in order. */
  readonly all: readonly number[]
  /** Those that match the search. */
  readonly shown: readonly ProjectWork[]
  readonly isSearching: boolean
  readonly projectOf: (id: number) => Project | undefined
}

/** Projects of the history that no machine folds now. */
export function EarlierProjects({ all, shown, isSearching, projectOf }: Props) {
  const { projects } = useSystem()
  const [most, setMost] = useState(PAGE)
  const described = useSelector(projects, ({ context }) => context.described)
  const isLoading = useSelector(projects, snapshot => snapshot.hasTag('describing'))
  const count = isSearching ? all.length : Math.min(most, all.length)
  useEffect(() => projects.send({ type: 'projects.describe', count }), [projects, count])
  return (
    <Section title={t`Earlier projects`} note={t`Your machines have folded these, and fold none of them now.`}>
      {all.slice(0, described).map(id => (
        <Described key={id} id={id} />
      ))}
      <ul className={styles['list']}>
        {shown.slice(0, most).map(work => (
          <Row key={work.project} work={work} project={projectOf(work.project)} />
        ))}
      </ul>
      {isSearching && isLoading ? (
        <p role="status" className="quiet type-3">
          {t`Loading...`}
        </p>
      ) : undefined}
      {shown.length <= most ? undefined : (
        <Button
          onPress={() => setMost(most + PAGE)}
        >{t`Show ${formatNumber(Math.min(PAGE, shown.length - most))} more`}</Button>
      )}
    </Section>
  )
}
