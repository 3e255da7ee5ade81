import { t } from '@lingui/core/macro'
import { causeTitle } from '../../../folding/text/client-words.ts'
import { formatValue } from '../../../folding/text/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { allowedImage } from '../../../folding/address/web-address.ts'
import type { Project } from '../../../protocol/api/api.ts'
import { usePictureOrigins, useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ForeignHtml } from '../../parts/display/foreign-html.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import styles from './projects-screen.module.css'

/** Labeled values side by side. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Picture and description of the manager, as far as known. */
function Manager({ project: { mthumb, mdescription = '' } }: { readonly project: Project }) {
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

function Missing({ id, isAbsent }: { readonly id: number; readonly isAbsent: boolean }) {
  const { queryCache } = useSystem()
  if (isAbsent) return <p className="quiet">{t`This project has no description.`}</p>
  return (
    <div className="row gap-3 quiet">
      <p>{t`Could not load the description.`}</p>
      <Button icon="reset" onPress={() => queryCache.send({ type: 'queryCache.refresh', key: projectKey(id) })}>
        {t`Try again`}
      </Button>
    </div>
  )
}

type Props = { readonly id: number; readonly isWanted?: boolean }

/** What others say of a project: cause, manager, institution and its description. */
export function ProjectText({ id, isWanted = true }: Props) {
  const origins = usePictureOrigins()
  const { value: project, isAbsent, fault } = useResource(isWanted ? projectKey(id) : undefined)
  if (project === undefined)
    return isAbsent || fault !== undefined ? (
      <Missing id={id} isAbsent={isAbsent} />
    ) : (
      <Skeleton label={t`Downloading project description.`} rows={3} />
    )
  const { cause, manager, institution, description = '' } = project
  return (
    <>
      <Facts
        facts={[
          [t`Cause`, formatValue(cause === undefined || cause === '' ? undefined : causeTitle(cause))],
          [t`Manager`, formatValue(manager)],
          [t`Institution`, formatValue(institution)],
        ]}
      />
      <ForeignHtml html={description} lang="en" pictureOrigins={origins} />
      <Manager project={project} />
    </>
  )
}
