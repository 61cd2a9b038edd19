create table customers (
  id bigint generated always as identity primary key,
  email text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table products (
  id bigint generated always as identity primary key,
  slug text not null unique,
  name text not null,
  botanical_name text not null,
  price_cents integer not null check (price_cents >= 0),
  weight_grams integer not null,
  stock integer not null default 0,
  hidden boolean not null default false
);

create table orders (
  id bigint generated always as identity primary key,
  customer_id bigint references customers,
  total_cents integer not null,
  country char(2) not null,
  state text not null,
  placed_at timestamptz not null default now(),
  delivered_at timestamptz
);
