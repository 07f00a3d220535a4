-- the four kinds of amount by claim; a kind that a claim has none of is empty, and the claim stays
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
)
select c.Company_Claim_Number as claim_number,
  sum(m.amount) filter (where m.kind = 'loss payment') as loss_payment,
  sum(m.amount) filter (where m.kind = 'loss reserve') as loss_reserve,
  sum(m.amount) filter (where m.kind = 'expense payment') as expense_payment,
  sum(m.amount) filter (where m.kind = 'expense reserve') as expense_reserve
from marked m join claim c on c.Claim_Identifier = m.claim_id
group by c.Company_Claim_Number
