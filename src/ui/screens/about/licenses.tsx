import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { License } from '../../../protocol/api/licenses.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Section } from '../section.tsx'
import styles from './about-screen.module.css'

function Library({ license: { name, version = '', identifier = '', text = '' } }: { readonly license: License }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="row between gap-0-4 row-high line-above anywhere cursor-pointer">
          <bdi dir="ltr" translate="no">
            {name} {version}
          </bdi>
          <span className="quiet">{identifier === '' ? t`Unknown license` : identifier}</span>
        </summary>
        {isOpen ? (
          <pre lang="en" dir="ltr" className={styles['report']} tabIndex={0} aria-label={t`License of ${name}`}>
            {text === '' ? t`The library has no license text.` : text}
          </pre>
        ) : undefined}
      </details>
    </li>
  )
}

function Loaded() {
  const { queryCache } = useSystem()
  const { value, fault, isAbsent, isLoading } = useResource('licenses')
  if (value !== undefined)
    return (
      <ul className="stack prose">
        {value.map(license => (
          <Library key={`${license.name} ${license.version ?? ''}`} license={license} />
        ))}
      </ul>
    )
  if ((fault === undefined && !isAbsent) || isLoading) return <Skeleton label={t`Loading…`} rows={4} />
  return (
    <Banner
      tone="warning"
      icon="offline"
      actions={
        <Button isSmall onPress={() => queryCache.send({ type: 'queryCache.refresh', key: 'licenses' })}>
          {t`Try again`}
        </Button>
      }
    >
      {t`The list of libraries could not be loaded.`}
    </Banner>
  )
}

/** The libraries in this build, loaded when the user asks for them. */
export function Licenses() {
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title={t`Libraries`}
      note={t`Foldboard contains open-source libraries, each under its own license.`}
      tools={isShown ? undefined : <Button onPress={() => setShown(true)}>{t`Show the libraries`}</Button>}
    >
      {isShown ? <Loaded /> : undefined}
    </Section>
  )
}
