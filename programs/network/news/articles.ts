export type Article = {
  slug: string
  title: string
  author: string
  published: string
  excerpt: string
  hero: string
}

/** Newest first. Titles and excerpts contain markup and entities, as on the real site. */
export const ARTICLES: readonly Article[] = [
  {
    slug: 'five-proteins-one-weekend',
    title: 'Five proteins, one weekend &amp; a lot of coffee',
    author: 'Mira Lindqvist',
    published: '2026-11-14T09:00:00Z',
    excerpt:
      '<p>Crambin, an SH3 domain, c-Src, rhodopsin and a protein that glows: why we simulate the <em>best-known</em> folds again and again.</p>',
    hero: 'five-proteins',
  },
  {
    slug: 'what-a-passkey-does',
    title: 'What a passkey does',
    author: 'Ade Oyelaran',
    published: '2026-10-30T12:30:00Z',
    excerpt: '<p>Results that come back early are worth more. A passkey tells us that they are really yours.</p>',
    hero: 'passkey',
  },
  {
    slug: 'reading-a-work-unit',
    title: 'How to read a work unit’s number',
    author: 'Tiago Ferreira',
    published: '2026-10-02T08:15:00Z',
    excerpt: '<p>Project, run, clone, gen: four numbers, and every one of them tells a story.</p>',
    hero: 'work-unit',
  },
  {
    slug: 'graphics-cards-and-water',
    title: 'Why water needs graphics cards',
    author: 'Mira Lindqvist',
    published: '2026-08-21T15:00:00Z',
    excerpt:
      '<p>Most atoms of a simulation are <strong>water</strong>. Counting them is a graphics card’s favorite work.</p>',
    hero: 'water',
  },
]
