-- Customers tell the courier where to leave the parcel. The label printer cuts off after 140 characters.
alter table orders add column note text not null default '' check (length(note) <= 140);
