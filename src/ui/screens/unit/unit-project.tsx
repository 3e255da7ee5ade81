import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { causeTitle } from '../../../folding/text/client-words.ts'
import { formatValue } from '../../../folding/text/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { projectOf, projectTitle } from '../../../folding/unit/unit-progress.ts'
import type { Project } from '../../../protocol/api/api.ts'
import { Button } from '../../parts/actions/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { ForeignHtml } from '../../parts/display/foreign-html.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { usePictureOrigins } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Section } from '../section.tsx'
import styles from './unit-project.module.css'
import { useUnitValue } from './unit-source.ts'

/** Characters of HTML: longer descriptions begin with their first lines. */
const LONG = 420

function Description({ html }: { readonly html: string }) {
  const [isWhole, setWhole] = useState(html.length <= LONG)
  return (
    <>
      <div className={classNames(!isWhole && styles['beginning'])}>
        <ForeignHtml html={html} lang="en" pictureOrigins={usePictureOrigins()} />
      </div>
      {isWhole ? undefined : <Button isSmall onPress={() => setWhole(true)}>{t`Show more`}</Button>}
    </>
  )
}

function Facts({ cause, manager, institution }: Project) {
  return (
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
}

/** What the unit is for, and who runs its project. */
export function UnitProject() {
  const id = useUnitValue(projectOf)
  const { value: project, isAbsent, fault } = useResource(id === undefined ? undefined : projectKey(id))
  return (
    <Section title={projectTitle(id)}>
      {project !== undefined ? (
        <>
          <Facts {...project} />
          <Description key={id} html={project.description ?? ''} />
        </>
      ) : id === undefined || isAbsent || fault !== undefined ? (
        <p className="quiet type-3">
          {fault === undefined || isAbsent ? t`Nothing is known of this project.` : t`Could not load the description.`}
        </p>
      ) : (
        <Skeleton label={t`Downloading project description.`} rows={3} />
      )}
    </Section>
  )
}
