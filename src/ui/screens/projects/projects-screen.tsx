import { t } from '@lingui/core/macro'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { matchesProject } from '../../../folding/fleet/project-search.ts'
import { earlierOf, projectWorkOf } from '../../../folding/fleet/project-work.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { selectActiveProjects } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { selectKnown } from '../../../machines/resource/query-cache/query-cache.selectors.ts'
import type { Project } from '../../../protocol/api/api.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useEndedUnits, useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { CauseSelect } from '../cause-select.tsx'
import { Feed, FeedLoading } from '../feed.tsx'
import { HistoryBegins } from '../history-begins.tsx'
import { Page } from '../page.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { HistoryLimit } from '../work-units/history-notes.tsx'
import { EarlierProjects } from './earlier-projects.tsx'
import { ProjectArticle } from './project-article.tsx'
import styles from './projects-screen.module.css'
import { searchOf, withCause, withWords } from './projects-params.ts'

function None() {
  return (
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
}

/** In place of active projects, above earlier ones. */
function NoneActive({ isLoading }: { readonly isLoading: boolean }) {
  return (
    <div role="status" className={styles['none']}>
      <p>{isLoading ? t`Loading...` : t`No active projects.`}</p>
      {isLoading ? undefined : <p>{t`While you are folding active projects will display here.`}</p>}
    </div>
  )
}

/** Descriptions as far as they are loaded, by number. */
function useDescriptions(ids: readonly number[]): ReadonlyMap<number, Project> {
  const values = useSelector(
    useSystem().queryCache,
    snapshot => ids.map(id => selectKnown(projectKey(id))(snapshot)),
    shallowEqual,
  )
  return useMemo(
    () =>
      new Map(
        ids.flatMap((id, index) => {
          const value = values[index]
          return value === undefined ? [] : [[id, value] as const]
        }),
      ),
    [ids, values],
  )
}

const inPlace = { replace: true, preventScrollReset: true, flushSync: true } as const

function Search({ causes }: { readonly causes: readonly string[] }) {
  const [params, setParams] = useSearchParams()
  const { words, cause } = searchOf(params)
  return (
    <div role="search" aria-label={t`Projects`} className={styles['search']}>
      <SearchField
        label={t`Find projects`}
        placeholder={t`Number, cause or words`}
        value={words}
        onChange={text => setParams(now => withWords(now, text), inPlace)}
      />
      <CauseSelect
        cause={cause ?? 'any'}
        extraCauses={causes}
        onChange={chosen => setParams(now => withCause(now, chosen), inPlace)}
      />
    </div>
  )
}

/** Numbers of active projects, of earlier ones, and what was done for each of them. */
function useProjects() {
  const { fleet } = useSystem()
  const active = useSelector(fleet, selectActiveProjects, shallowEqual)
  useHistoryOf('units', 'all')
  const works = projectWorkOf(useEndedUnits())
  return useMemo(() => {
    const running = new Set(active)
    const earlier = [...works.keys()].filter(id => !running.has(id))
    const since = [...works.values()].reduce<number | undefined>(
      (first, work) => earlierOf(first, work.since),
      undefined,
    )
    return { active, earlier, works, since, all: [...active, ...earlier] }
  }, [active, works])
}

function Projects() {
  const { projects } = useSystem()
  const isLoading = useSelector(projects, snapshot => snapshot.hasTag('loading'))
  const { active, earlier, works, since, all } = useProjects()
  const descriptions = useDescriptions(all)
  const search = searchOf(useSearchParams()[0])
  useEffect(() => {
    projects.send({ type: 'projects.open' })
    return () => projects.send({ type: 'projects.close' })
  }, [projects])
  if (all.length === 0) return isLoading ? <FeedLoading label={t`Projects`} /> : <None />
  const matches = (id: number): boolean => matchesProject(id, descriptions.get(id), search)
  const shownActive = active.filter(matches)
  const shownEarlier = earlier.filter(matches)
  const isSearching = search.words !== '' || search.cause !== undefined
  return (
    <>
      <Search
        causes={[...new Set([...descriptions.values()].flatMap(({ cause = '' }) => (cause === '' ? [] : [cause])))]}
      />
      <HistoryLimit />
      {active.length > 0 || isSearching ? undefined : <NoneActive isLoading={isLoading} />}
      <Feed className={styles['projects']}>
        {shownActive.map(id => (
          <ProjectArticle key={id} id={id} project={descriptions.get(id)} work={works.get(id)} />
        ))}
      </Feed>
      {shownActive.length + shownEarlier.length > 0 ? undefined : (
        <EmptyState icon="search" title={t`No matching projects.`} />
      )}
      {earlier.length === 0 ? undefined : (
        <EarlierProjects
          all={earlier}
          shown={shownEarlier.flatMap(id => works.get(id) ?? [])}
          isSearching={isSearching}
          projectOf={id => descriptions.get(id)}
        />
      )}
      {since === undefined ? undefined : (
        <p className="quiet">
          <HistoryBegins at={since} />
        </p>
      )}
    </>
  )
}

/** The projects of the work units that the clients have now, and those of the history. */
export function ProjectsScreen() {
  const hasProjects = useSelector(useSystem().fleet, snapshot => selectActiveProjects(snapshot).length > 0)
  return (
    <Page title={t`Projects`} {...(hasProjects ? { subtitle: t`The projects your machines are working on now.` } : {})}>
      <WhenLoaded part="projects" what={t`Projects`} shape="table">
        <Projects />
      </WhenLoaded>
    </Page>
  )
}
