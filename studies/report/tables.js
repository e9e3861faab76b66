// SPDX-License-Identifier: Apache-2.0
// Sorts tables by their columns, and shows the kernels and mechanisms that are asked for.
'use strict';

const Missing = '–';
const page = JSON.parse(document.getElementById('data').textContent);

/// What a cell sorts by: its number, else its text; null where there is none.
function valueOf(cell) {
  const text = cell === undefined ? '' : cell.textContent.trim();
  if (text === '' || text === Missing) return null;
  const number = Number(text.replace(/,/g, '').replace(/^([-+\d.]+)[%x]?(\s.*)?$/, '$1'));
  return Number.isNaN(number) ? text : number;
}

function compare(a, b) {
  if (typeof a === typeof b) return typeof a === 'string' ? a.localeCompare(b, 'en') : a - b;
  return typeof a === 'number' ? -1 : 1;
}

/// Numbers begin with the largest, texts with a; what is missing is last both ways.
function sortBy(header) {
  const table = header.closest('table'), body = table.tBodies[0];
  const column = [...header.parentNode.children].indexOf(header);
  const rows = [...body.rows].map((row) => ({row, value: valueOf(row.cells[column])}));
  const known = rows.filter(({value}) => value !== null), missing = rows.filter(({value}) => value === null);
  const before = header.getAttribute('aria-sort');
  const numbers = known.some(({value}) => typeof value === 'number');
  const ascending = before === 'none' ? !numbers : before === 'descending';
  known.sort((a, b) => ascending ? compare(a.value, b.value) : compare(b.value, a.value));
  body.append(...known.concat(missing).map(({row}) => row));
  for (const other of header.parentNode.children) other.setAttribute('aria-sort', 'none');
  header.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('th button');
  if (button) sortBy(button.parentNode);
});

const search = document.getElementById('kernel-filter');
const boxes = [...document.querySelectorAll('.controls input[type=checkbox]')];

/// As indices of page.mechanisms.
const shown = {
  mechanism: (index) => boxes[index].checked,
  kernel: (name) => name.toLowerCase().includes(search.value.trim().toLowerCase()),
};

/// One style sheet hides them: a page of many runs has too many cells to touch each.
function filter() {
  const hidden = [
    ...page.mechanisms.filter((_, index) => !shown.mechanism(index)).map((name) => ['mechanism', name]),
    ...Object.keys(page.kernels).filter((name) => !shown.kernel(name)).map((name) => ['kernel', name]),
  ].map(([what, name]) => `[data-${what}=${JSON.stringify(name)}]`);
  document.getElementById('filter').textContent = hidden.length === 0 ? '' : `${hidden.join(',')}{display:none!important}`;
  const rows = [...document.querySelectorAll('table.runs tbody tr')];
  const left = rows.filter((row) => shown.kernel(row.dataset.kernel) &&
    shown.mechanism(page.mechanisms.indexOf(row.dataset.mechanism)));
  document.getElementById('shown').textContent =
    left.length === rows.length ? `all ${rows.length} runs are shown` : `${left.length} of ${rows.length} runs are shown`;
  document.dispatchEvent(new Event('filtered'));
}

search.addEventListener('input', filter);
for (const box of boxes) box.addEventListener('change', filter);
for (const [id, checked] of [['all', true], ['none', false]])
  document.getElementById(id).addEventListener('click', () => {
    for (const box of boxes) box.checked = checked;
    filter();
  });
document.querySelector('.controls').addEventListener('submit', (event) => event.preventDefault());

/// A link to a kernel unfolds it.
function unfoldTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === 'DETAILS') target.open = true;
}
addEventListener('hashchange', unfoldTarget);
unfoldTarget();
new ResizeObserver(([{target}]) => document.documentElement.style.setProperty('--bar', `${target.offsetHeight + 16}px`))
  .observe(document.querySelector('.controls'));
filter();
