import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { newsInOrder } from '../../../folding/shared/news.ts'
import { formatDate, parseTime } from '../../../folding/text/times.ts'
import { allowedImage, safeWebUrl } from '../../../folding/address/web-address.ts'
import type { NewsItem } from '../../../protocol/api/news.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { classNames } from '../../parts/class-names.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { ForeignHtml } from '../../parts/display/foreign-html.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { usePictureOrigins, useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Feed, FeedEntry, FeedLoading, feedPicture } from '../feed.tsx'
import { Page } from '../page.tsx'
import styles from './news-screen.module.css'

const pictureClass = classNames(feedPicture, styles['picture'])
const externalLink = { target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' } as const

/** A text that is not a date is shown as it is. */
function dateText(date: string): string {
  const at = parseTime(date)
  return at === undefined ? date : formatDate(at)
}

function Picture({ image, address }: { readonly image: string | undefined; readonly address: string | undefined }) {
  if (image === undefined) return <span className={pictureClass} />
  const picture = <img src={image} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" />
  // Hidden from keyboard and screen readers: the title beside it is the same link, with a name.
  return address === undefined ? (
    <span className={pictureClass}>{picture}</span>
  ) : (
    <a href={address} {...externalLink} tabIndex={-1} aria-hidden="true" className={pictureClass}>
      {picture}
    </a>
  )
}

function Article({ item: { url, image, title, author, date, description } }: { readonly item: NewsItem }) {
  const address = safeWebUrl(url)
  const origins = usePictureOrigins()
  const heading = <ForeignHtml html={title} lang="en" isInline />
  return (
    <FeedEntry
      picture={<Picture image={allowedImage(safeWebUrl(image), origins)} address={address} />}
      title={
        address === undefined ? (
          heading
        ) : (
          <a href={address} {...externalLink}>
            {heading}
          </a>
        )
      }
    >
      <p className="quiet type-3">
        {t`By ${author === '' ? '???' : author} on ${date === '' ? '???' : dateText(date)}.`}
      </p>
      <ForeignHtml html={description} lang="en" pictureOrigins={origins} />
    </FeedEntry>
  )
}

function Failed() {
  const { queryCache } = useSystem()
  return (
    <EmptyState
      icon="news"
      title={t`Could not load the news`}
      actions={
        <>
          <Button
            kind="primary"
            icon="reset"
            onPress={() => queryCache.send({ type: 'queryCache.refresh', key: 'news' })}
          >
            {t`Try again`}
          </Button>
          <ButtonLink to="https://foldingathome.org/news/">{t`Read the news on foldingathome.org`}</ButtonLink>
        </>
      }
    >
      <p>{t`The news server is not responding. Retrying in an hour.`}</p>
    </EmptyState>
  )
}

export function NewsScreen() {
  const { value, at, fault, isAbsent, isLoading } = useResource('news')
  const items = value === undefined ? undefined : newsInOrder(value)
  if (items === undefined || items.length === 0)
    return (
      <Page title={t`News`}>
        {(fault !== undefined || isAbsent) && !isLoading ? <Failed /> : <FeedLoading label={t`News`} />}
      </Page>
    )
  return (
    <Page title={t`News`}>
      {fault === undefined || at === undefined ? undefined : (
        <Banner tone="stale" icon="offline">
          <Trans>
            The news server is not responding. This news is from <RelativeTime at={at} />. Retrying in an hour.
          </Trans>
        </Banner>
      )}
      <Feed className={styles['news']}>
        {items.map(item => (
          <Article key={`${item.url} ${item.title}`} item={item} />
        ))}
      </Feed>
    </Page>
  )
}
