-- total loss by agent; an amount counts once for an agent who sold both policies of a claim
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
), pairs as (
  select distinct m.amount_id, m.kind, m.amount, agent.party_id as agent_id
  from marked m
  left join claim_policy cp on cp.claim_id = m.claim_id
  left join agent on agent.policy_id = cp.policy_id
)
select agent_id, sum(amount) as total_loss from pairs group by agent_id
