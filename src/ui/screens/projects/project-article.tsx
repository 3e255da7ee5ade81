import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { formatValue } from '../../../folding/shared/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { allowedImage } from '../../../folding/shared/web-address.ts'
import { areProjectsWanted } from '../../../machines/screens/projects/projects.selectors.ts'
import type { Project } from '../../../protocol/api.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { ForeignHtml } from '../../parts/display/foreign-html.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { usePictureOrigins, useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { FeedEntry, feedPicture } from '../feed.tsx'
import styles from './projects-screen.module.css'
import { causeTitle } from '../../../folding/shared/client-words.ts'

const Facts = ({ project: { manager, institution, cause } }: { readonly project: Project }) => (
  <dl className={styles['facts']}>
    {[
      [t`Cause`, cause === undefined || cause === '' ? undefined : causeTitle(cause)],
      [t`Manager`, manager],
      [t`Institution`, institution],
    ].map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <bdi>{formatValue(value)}</bdi>
        </dd>
      </div>
    ))}
  </dl>
)

/** Picture and description of the manager, as far as known. */
const Manager = ({ project: { mthumb, mdescription = '' } }: { readonly project: Project }) => {
  const origins = usePictureOrigins()
  const picture = allowedImage(mthumb, origins)
  if (picture === undefined && mdescription === '') return null
  return (
    <div className={styles['manager']}>
      {picture === undefined ? undefined : <img src={picture} alt="" loading="lazy" referrerPolicy="no-referrer" />}
      <ForeignHtml html={mdescription} lang="en" pictureOrigins={origins} />
    </div>
  )
}

const Picture = ({ thumb }: { readonly thumb: string | undefined }) => {
  const picture = allowedImage(thumb, usePictureOrigins())
  return (
    <div className={classNames(feedPicture, styles['picture'])}>
      {picture === undefined ? (
        <Icon name="projects" />
      ) : (
        <img src={picture} alt="" loading="lazy" referrerPolicy="no-referrer" />
      )}
    </div>
  )
}

const Missing = ({ id, isAbsent }: { readonly id: number; readonly isAbsent: boolean }) => {
  const { queryCache } = useSystem()
  if (isAbsent) return <p className={styles['quiet']}>{t`This project has no description.`}</p>
  return (
    <div className={styles['failed']}>
      <p>{t`Could not load the description.`}</p>
      <Button icon="reset" onPress={() => queryCache.send({ type: 'queryCache.refresh', key: projectKey(id) })}>
        {t`Try again`}
      </Button>
    </div>
  )
}

/** One active project with its description. */
export const ProjectArticle = ({ id }: { readonly id: number }) => {
  const isWanted = useSelector(useSystem().projects, areProjectsWanted)
  const origins = usePictureOrigins()
  const { value: project, isAbsent, fault } = useResource(isWanted ? projectKey(id) : undefined)
  return (
    <FeedEntry picture={<Picture thumb={project?.thumb} />} title={t`Project ${id}`}>
      {project === undefined ? undefined : <Facts project={project} />}
      {project === undefined && (isAbsent || fault !== undefined) ? <Missing id={id} isAbsent={isAbsent} /> : undefined}
      {project === undefined && !isAbsent && fault === undefined ? (
        <Skeleton label={t`Loading...`} rows={3} />
      ) : undefined}
      {project === undefined ? undefined : (
        <ForeignHtml html={project.description ?? ''} lang="en" pictureOrigins={origins} />
      )}
      {project === undefined ? undefined : <Manager project={project} />}
    </FeedEntry>
  )
}
