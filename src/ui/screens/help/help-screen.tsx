import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState, type MouseEvent } from 'react'
import { Link, NavLink, useHref, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { pages, type GuidePage } from 'virtual:guide'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { Page } from '../page.tsx'
import { incidentAnchor, searchGuide } from './guide.ts'
import styles from './help-screen.module.css'

const MOST_RESULTS = 20

function Results({ query }: { readonly query: string }) {
  const found = searchGuide(pages, query).slice(0, MOST_RESULTS)
  if (found.length === 0) return <p className="quiet">{t`Nothing in the guide matches.`}</p>
  return (
    <ul className="grid gap-2" lang="en">
      {found.map(({ page, section: { anchor, title } }) => (
        <li key={`${page.name}#${anchor}`}>
          <Link to={`/help/${page.name}${anchor === '' ? '' : `#${anchor}`}`} className={styles['link']}>
            {title}
          </Link>
          {anchor === '' ? undefined : <span className="quiet"> · {page.title}</span>}
        </li>
      ))}
    </ul>
  )
}

function Text({ page }: { readonly page: GuidePage }) {
  const base = useHref('/help')
  const navigate = useNavigate()
  const text = useRef<HTMLDivElement>(null)
  const fill = useCallback(
    (element: HTMLDivElement | null) => {
      text.current = element
      if (element !== null) element.innerHTML = page.html.replaceAll('href="guide:', `href="${base}/`)
    },
    [page, base],
  )
  const { hash } = useLocation()
  const [params] = useSearchParams()
  const anchor = hash.slice(1) || incidentAnchor(params.get('kind'), page)
  useEffect(() => {
    const heading = [...(text.current?.querySelectorAll('h2') ?? [])].find(({ id }) => id === anchor)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [anchor, page])
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return
    event.preventDefault()
    void navigate(`/help${link.pathname.slice(base.length)}${link.hash}`)
  }
  return <div ref={fill} lang="en" dir="ltr" className={styles['text']} onClick={follow} />
}

/** The guide for people who fold: docs/guide. */
export function HelpScreen() {
  const { page: name } = useParams()
  const { key } = useLocation()
  // What was searched for is over when a page is chosen.
  const [search, setSearch] = useState({ query: '', at: key })
  const query = search.at === key ? search.query : ''
  const page = pages.find(other => other.name === name) ?? pages[0]
  if (page === undefined) return null
  return (
    <Page title={t`Help`} subject={page.title}>
      <div className={styles['help']}>
        <nav aria-label={t`Pages of the guide`} className={styles['pages']} lang="en">
          <SearchField
            label={t`Search the guide`}
            placeholder={t`Search the guide`}
            value={query}
            onChange={typed => setSearch({ query: typed, at: key })}
          />
          <ul className="grid">
            {pages.map(other => (
              <li key={other.name}>
                <NavLink to={`/help/${other.name}`} className={styles['page'] ?? ''}>
                  {other.title}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {query.trim() === '' ? (
          <article className={styles['article']}>
            <h2 lang="en" className={styles['title']}>
              {page.title}
            </h2>
            <Text page={page} />
          </article>
        ) : (
          <Results query={query} />
        )}
      </div>
    </Page>
  )
}
