import { t } from '@lingui/core/macro'
import { formatValue } from '../../../folding/shared/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { projectOf } from '../../../folding/unit/unit-progress.ts'
import { ForeignHtml } from '../../parts/display/foreign-html.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { usePictureOrigins } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Section } from '../section.tsx'
import styles from './unit-screen.module.css'
import { useUnitValue } from './unit-source.ts'

/** The description of the unit's project; nothing if there is none. */
export const UnitProject = () => {
  const origins = usePictureOrigins()
  const id = useUnitValue(projectOf)
  const { value: project, isAbsent, fault } = useResource(id === undefined ? undefined : projectKey(id))
  if (id === undefined || isAbsent || (project === undefined && fault !== undefined)) return null
  return (
    <Section
      title={t`Project ${id}`}
      note={
        project === undefined ? undefined : (
          <bdi>
            {formatValue(project.manager)}, {formatValue(project.institution)}
          </bdi>
        )
      }
      className={styles['section']}
    >
      {project === undefined ? (
        <Skeleton label={t`Loading...`} rows={3} />
      ) : (
        <ForeignHtml html={project.description ?? ''} lang="en" pictureOrigins={origins} />
      )}
    </Section>
  )
}
