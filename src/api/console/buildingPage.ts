import { createFixedBody, type FixedBody } from '../http/fixedBody.ts'
import { protection } from './protection.ts'

const headers = ['cache-control', 'no-store', ...protection]

/**
 * What a browser gets while the console is built: it retries by itself. A header `refresh` would not do: with `#code=…` in the address Chromium
 * takes that for a jump within the page. Without scripts it is the browser that retries, where the address has no `#`.
 */
export const buildingPage: FixedBody = createFixedBody(
  Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mintmark</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<script src="/console/reload.js"></script>
<noscript><meta http-equiv="refresh" content="1"></noscript>
</head>
<body>
<p>The console is being built. This page loads again by itself.</p>
<noscript><p><a href="">Load it now</a></p></noscript>
</body>
</html>
`),
  'text/html; charset=utf-8',
  headers,
  { vary: 'Accept, Accept-Encoding' },
)

/** The script of that page; loading a page again keeps what is behind the `#`. */
export const reloadScript: FixedBody = createFixedBody(
  Buffer.from('setTimeout(() => location.reload(), 1000)\n'),
  'text/javascript; charset=utf-8',
  headers,
)
