import { t } from '@lingui/core/macro'
import { groupTitle } from '../../../folding/client/group.ts'
import { gpuIds, gpuModel, gpuSlot, shortGpuName } from '../../../folding/client/resources.ts'
import { LONGEST_TAG, nameKey, namedGroup } from '../../../folding/fleet/tags.ts'
import { selectClientKey, selectGroupNames, selectInfo } from '../../../machines/connection/client/client.selectors.ts'
import { selectTagsOf } from '../../../machines/fleet/tags/tags.selectors.ts'
import { RenameField } from '../../dialogs/fleet/rename-field.tsx'
import { useClient, useClientSelector } from '../../hooks/client-context.ts'
import { usePageServer, useWhyNoShared } from '../../hooks/server-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import styles from './details-screen.module.css'

type NameProps = { readonly client: string; readonly of: string; readonly title: string }

function Name({ client, of, title }: NameProps) {
  const { tags } = useSystem()
  const blocked = useWhyNoShared()
  const key = nameKey(client, of)
  const [name = ''] = useSelector(tags, selectTagsOf(key))
  const rename = (typed: string): void => {
    if (name !== '') tags.send({ type: 'tags.remove', machines: [key], tag: name })
    tags.send({ type: 'tags.add', machines: [key], tag: typed })
  }
  return (
    <div className={styles['row']}>
      <dt>
        <bdi>{title}</bdi>
      </dt>
      <dd>
        <RenameField
          label={t`Own name of ${title}`}
          name={name}
          longest={LONGEST_TAG}
          isReadOnly={blocked !== undefined}
          onRename={rename}
        />
      </dd>
    </div>
  )
}

/** The person's own names of the client's GPUs and groups, which all screens show. */
export function OwnNames() {
  const isShared = usePageServer() !== undefined
  const client = useClientSelector(selectClientKey)
  const info = useSelector(useClient(), selectInfo)
  const groups = useSelector(useClient(), selectGroupNames)
  if (client === undefined || info === undefined) return null
  return (
    <section className="grid content-start gap-2 shrink prose" aria-label={t`Own names`}>
      <h2 className="type-5 strong">{t`Own names`}</h2>
      <p className="quiet type-2">
        {isShared
          ? t`Shown on all screens. The server keeps them for all its pages, and no machine sees them.`
          : t`Shown on all screens. They are kept in this browser, and no machine sees them.`}
      </p>
      <dl className="line-below">
        {gpuIds(info).map(id => (
          <Name key={id} client={client} of={id} title={`${shortGpuName(gpuModel(info, id))} (${gpuSlot(id)})`} />
        ))}
        {groups.map(group => (
          <Name key={group} client={client} of={namedGroup(group)} title={t`Resource group ${groupTitle(group)}`} />
        ))}
      </dl>
    </section>
  )
}
